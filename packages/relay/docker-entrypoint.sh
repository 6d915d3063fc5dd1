#!/bin/sh
# Started as root, as some hosts do: gives the volume to the user "node" and continues as that user.
set -eu
export RELAY_DATA_DIR="${RELAY_DATA_DIR:-/data}"
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$RELAY_DATA_DIR"
  chown --no-dereference node:node "$RELAY_DATA_DIR"
  exec setpriv --reuid=node --regid=node --init-groups --no-new-privs "$0" "$@"
fi
exec relay "$@"
