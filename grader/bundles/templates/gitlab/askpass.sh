#!/bin/sh
# Gives git the token from the masked variable SUBMISSIONS_TOKEN, so that it is in no command line and no address.
case "$1" in
    Username*) echo "oauth2" ;;
    *) printf '%s\n' "$SUBMISSIONS_TOKEN" ;;
esac
