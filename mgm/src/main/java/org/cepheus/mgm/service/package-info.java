/**
 * What an MGM does for clients, FSTs and operators: queries behind the read gate, placement and
 * tickets, the life of uploads, and the housekeeping of a leader.
 */
@NullMarked
package org.cepheus.mgm.service;

import org.jspecify.annotations.NullMarked;
