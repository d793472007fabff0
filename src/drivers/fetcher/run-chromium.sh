#!/bin/sh
# Runs Chromium for root under another account, because its sandbox refuses root. BROWSER_ACCOUNT names the way:
#   nobody     the user id 65534, which is given the profile first
#   namespace  a user namespace in which root looks like nobody, where that user cannot reach the program
for argument; do
  case $argument in --user-data-dir=*) profile=${argument#*=} ;; esac
done
program=$BROWSER_PROGRAM
account=$BROWSER_ACCOUNT
unset BROWSER_PROGRAM BROWSER_ACCOUNT
export HOME="$profile"
case $account in
  nobody)
    chown -R 65534:65534 "$profile" || exit 1
    exec setpriv --reuid=65534 --regid=65534 --clear-groups "$program" "$@"
    ;;
  namespace) exec unshare --user --map-user=65534 --map-group=65534 "$program" "$@" ;;
esac
