/** Turns a credential into an {@code Identity} or says why not; decides who may do what. */
@NullMarked
package org.cepheus.auth;

import org.jspecify.annotations.NullMarked;
