#!/bin/sh
# Configures the nginx image for compose.yaml: deploy/nginx.conf with the domain name, and its log on the standard output of the
# container. The image runs this script before nginx. The two arguments are for tests.
set -eu
source=${1:-/etc/channel-changer/nginx.conf}
folder=${2:-/etc/nginx}
case ${DOMAIN:-} in
  '' | *[!A-Za-z0-9.-]*)
    echo 'DOMAIN is not a domain name.' >&2
    exit 1
    ;;
esac
sed -e "s/channels\.example/$DOMAIN/g" -e 's|access_log /var/log/nginx/channel-changer\.log|access_log /dev/stdout|' \
  "$source" >"$folder/conf.d/channel-changer.conf"
rm -f "$folder/conf.d/default.conf"
# Every open page has an event stream, which needs two connections. The image allows 1024 for each worker.
sed -i 's/worker_connections  *[0-9]*;/worker_connections 16384;/' "$folder/nginx.conf"
