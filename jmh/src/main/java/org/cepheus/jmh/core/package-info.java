/** Loads the namespace core in process: rules, RocksDB, and with them the Raft log on disk. */
@NullMarked
package org.cepheus.jmh.core;

import org.jspecify.annotations.NullMarked;
