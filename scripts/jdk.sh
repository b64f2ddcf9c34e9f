# shellcheck shell=bash
# Sourced by ./dev and ./cepheus: finds the JDK the project is built for and runs on.
# Debian's default `java` may be older, so neither PATH nor a bare `java` is trusted.

readonly CEPHEUS_JDK=25

is_our_jdk() {
    [[ -x $1/bin/javac && -r $1/release ]] && grep -qE "^JAVA_VERSION=\"${CEPHEUS_JDK}[.\"]" "$1/release"
}

# Sets and exports JAVA_HOME, or says what to install.
find_jdk() {
    local home
    for home in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
        if [[ -n $home ]] && is_our_jdk "$home"; then
            export JAVA_HOME=$home
            return 0
        fi
    done
    echo "${0##*/}: no JDK $CEPHEUS_JDK found in JAVA_HOME or /usr/lib/jvm." \
        "Install one, for example temurin-$CEPHEUS_JDK-jdk from packages.adoptium.net" \
        "or openjdk-$CEPHEUS_JDK-jdk-headless where Debian has it, or set JAVA_HOME." >&2
    return 1
}
