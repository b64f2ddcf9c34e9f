package org.cepheus.admin;

import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/** What only operators may see, where no service behind the API decides it. */
final class Rights {
    private Rights() {}

    /**
     * Lets operators pass.
     *
     * @throws FsException PermissionDenied for anybody else
     */
    static void requireOperator(Route.Request request) {
        if (!request.caller().identity().superuser()) {
            throw new FsException(
                    new FsError.PermissionDenied(
                            request.caller().identity().user() + " is no operator"));
        }
    }
}
