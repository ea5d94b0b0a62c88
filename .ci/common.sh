# What the gate, `.ci/run`, and the rest, `.ci/full`, share. It is sourced, not run.

export PIP_DISABLE_PIP_VERSION_CHECK=1
unset PYTHONPATH PYTHONHOME
python=${PYTHON:-python3}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step() { printf '\n==> %s\n' "$*"; }

# End the run with one line that says why.
stop() {
    printf '%s: %s\n' "$0" "$*" >&2
    exit 1
}

# Whether the printed output of pip says that its registry did not answer.
unreachable() {
    grep -qE 'Retrying \(Retry|connection broken|ConnectionError|ReadTimeoutError|Max retries exceeded' "$1"
}

# Run a pip, up to three times where its registry does not answer. If it fails, one line says whether
# the registry, the lock file or a package is at fault.
run_pip() {
    local said tries
    said=$(mktemp -p "$work")
    for tries in 1 2 3; do
        if "$@" 2>&1 | tee "$said"; then
            return 0
        fi
        unreachable "$said" && [[ $tries -lt 3 ]] || break
        sleep $((tries * 5))
    done
    if unreachable "$said"; then
        stop "pip cannot reach its registry, tried $tries times; no test has failed"
    elif [[ -n ${PIP_CONSTRAINT-} ]] && grep -q 'ResolutionImpossible' "$said"; then
        stop "the lock file .ci/lock.txt does not fit what is installed; renew it: python -m tools.lock"
    fi
    stop "pip failed: ${*:2}"
}

# What `pip` is in the README's commands and in activated environments.
pip() { run_pip command pip "$@"; }

# Where an interpreter of a version is, if one is to be had: on the path, or among pyenv's.
interpreter() {
    local named found
    for named in "python$1" "$(pyenv prefix "$1" 2>/dev/null)/bin/python"; do
        found=$(command -v "$named") || continue
        # A shim of pyenv's may stand for a version that is not chosen, and then does not run.
        if [[ $("$found" -c 'import sys; print(*sys.version_info[:2], sep=".")' 2>&1) == "$1" ]]; then
            printf '%s\n' "$found"
            return 0
        fi
    done
    return 1
}

# Make an environment of an interpreter, and install requirements in it: `environment DIR PYTHON …`.
environment() {
    local directory=$1
    "$2" -m venv "$directory"
    run_pip "$directory/bin/pip" install --quiet "${@:3}"
}

# Tests in an environment, under variables `NAME=value`: those of a mark, or all where it is empty.
on_versions() {
    local directory=$1 mark=$2
    "$directory/bin/python" -c 'import numpy, scipy, sympy, sys; print("Python", sys.version.split()[0],
        *[f"{m.__name__} {m.__version__}" for m in (numpy, scipy, sympy)], sep=", ")'
    env "${@:3}" "$directory/bin/python" -m pytest -q -n 2 --dist loadfile -p no:cacheprovider -m "$mark"
}

# Tests of a mark, or all where it is empty, on the lowest declared versions and without wide
# instructions of the processor: `lowest_versions DIR PYTHON MARK`.
lowest_versions() {
    local variables
    "$2" tools/lock.py --lowest >"$work/lowest.txt"
    PIP_CONSTRAINT=$work/lowest.txt PIP_BUILD_CONSTRAINT=$work/lowest.txt \
        environment "$1" "$2" ".[test,special]"
    variables=$("$1/bin/python" -m tools.profiles --show narrow)
    # shellcheck disable=SC2086 # one word for each variable
    on_versions "$1" "$3" $variables
}
