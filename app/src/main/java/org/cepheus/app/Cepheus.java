package org.cepheus.app;

/** The one command. */
public final class Cepheus {
    private Cepheus() {}

    public static void main(String[] args) {
        System.out.println("usage: cepheus up | mgm | fst | <noun> <verb>");
    }
}
