/** The deterministic rules of directories and files: command in, changes and reply out. */
@NullMarked
package org.cepheus.namespace;

import org.jspecify.annotations.NullMarked;
