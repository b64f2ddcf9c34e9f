package org.cepheus.domain.port;

import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;

/** Where it is written down who did what, and who was refused what. */
public interface Audit {
    /** Writes nothing. */
    Audit NONE =
            new Audit() {
                @Override
                public void allowed(Caller caller, String operation, String object) {}

                @Override
                public void refused(
                        Caller caller, String operation, String object, FsError error) {}
            };

    void allowed(Caller caller, String operation, String object);

    void refused(Caller caller, String operation, String object, FsError error);
}
