#!/usr/bin/env bash
# Tries the README's two commands, and packs and installs the command, the way a newcomer does, in fresh clones of HEAD:
# as root, as an ordinary user, and as root below a directory that only root can enter, each with Node 20 and Node 24.
# What this machine cannot do is skipped with a line that says so. Needs git and Node with npm; leaves nothing behind.
#
#   scripts/fresh-clone.sh [--working-tree] [--tests none|one|all] [--only NODE,WHO]
#
#   --working-tree  lays the uncommitted files over the clones
#   --tests         `npx -y pnpm@12 test` in no clone, in one (default: as an ordinary user with Node 24) or in all
#   --only          one combination, such as 24,user; WHO is root, user or locked
set -Eeuo pipefail
set -m # every background job leads a process group of its own, so that it can be ended as a whole

source_dir=$(cd "$(dirname "$0")/.." && pwd)
tests=one overlay=no combinations='20,root 20,user 20,locked 24,root 24,user 24,locked'
while [ $# -gt 0 ]; do
  case $1 in
    --working-tree) overlay=yes ;;
    --tests) tests=${2:?none, one or all}; shift ;;
    --only) combinations=${2:?NODE,WHO}; shift ;;
    *) echo "Unknown argument $1: see the head of $0" >&2; exit 2 ;;
  esac
  shift
done

FIRST_START_S=480 SECOND_START_S=120 STOP_S=20 TEST_S=1800
work=$(mktemp -d "${TMPDIR:-/tmp}/fresh-clone.XXXXXX")
chmod 755 "$work"
failures=0 group=0 postmaster=0

cleanup() {
  trap - EXIT
  end_group
  [ "$postmaster" = 0 ] || kill -INT "$postmaster" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

now() { date +%s%N; }
since() { awk -v from="$1" -v to="$(now)" 'BEGIN { printf "%.1f", (to - from) / 1e9 }'; }

# Ends the processes of the attempt under way, by the number of the group that was started for it.
end_group() {
  # Within a trap a bare `return` would bring back the status that the script is about to exit with.
  [ "$group" = 0 ] && return 0
  kill -KILL -- "-$group" 2>/dev/null || true
  wait "$group" 2>/dev/null || true
  group=0
}

fail() {
  echo "FAIL $label: $1"
  [ ! -s "${2:-}" ] || sed 's/^/     | /' "$2" | tail -n 25
  failures=$((failures + 1))
  end_group
  return 1
}

# The directory of a Node of this major version: the machine's own, or one from the registry.
node_bin() {
  if [ "$(node -p 'process.versions.node.split(".")[0]')" = "$1" ]; then
    dirname "$(node -p process.execPath)"
    return
  fi
  local bin="$work/node-$1/bin" exe
  if [ ! -x "$bin/node" ]; then
    exe=$(cd "$work" && npx -y -p "node@$1" -c 'node -p process.execPath' 2>/dev/null </dev/null) || return 1
    mkdir -p "$bin"
    cp "$exe" "$bin/node"
    chmod 755 "$bin/node"
  fi
  echo "$bin"
}

# Only what a login shell would have, and the way to the registry: nothing of the surrounding run leaks in.
clean_environment() {
  env=("HOME=$home" "PATH=$node_dir:$PATH" "LANG=${LANG:-C.UTF-8}" CI=true NO_COLOR=1 LOG_LEVEL=warn PORT=0)
  local registry name
  registry=$(npm config get registry 2>/dev/null)
  [ -z "$registry" ] || env+=("npm_config_registry=$registry")
  for name in HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy NODE_EXTRA_CA_CERTS; do
    [ -z "${!name:-}" ] || env+=("$name=${!name}")
  done
}

# Runs a command in the checkout as the account of this attempt.
in_checkout() {
  cd "$checkout"
  exec "${as[@]}" env -i "${env[@]}" "$@" </dev/null
}

# The ids of an ordinary user: those of `nobody` for root, else our own.
ordinary_user() { node -p '
  const line = require("fs").readFileSync("/etc/passwd", "utf8").split("\n").find((one) => one.startsWith("nobody:"))
  line ? line.split(":").slice(2, 4).join(" ") : ""' 2>/dev/null || true; }

make_checkout() {
  git clone --quiet --no-hardlinks "$source_dir" "$checkout"
  if [ "$overlay" = yes ]; then
    (cd "$source_dir" && git ls-files -co --exclude-standard -z | while IFS= read -r -d '' file; do
      [ -e "$file" ] && printf '%s\0' "$file"
    done | tar --null -T - -cf -) | tar -xf - -C "$checkout"
  fi
}

# Starts the server and waits for its line; sets url, data and seconds.
start_server() {
  local limit=$1 log=$2 from deadline line
  from=$(now)
  deadline=$((SECONDS + limit))
  # The line of the start before must be gone before this one is looked for.
  : >"$log"
  in_checkout npx -y pnpm@12 start >"$log" 2>&1 &
  group=$!
  until line=$(grep -m1 'is ready at' "$log"); do
    kill -0 "$group" 2>/dev/null || { fail 'start ended without its line' "$log"; return 1; }
    [ $SECONDS -lt $deadline ] || { fail "no start line within $limit s" "$log"; return 1; }
    sleep 0.1
  done
  seconds=$(since "$from")
  url=$(sed -E 's/.* at (http[^ ]+) .*/\1/' <<<"$line")
  data=$(sed -E 's/.*\(data: (.*)\)\. Next.*/\1/' <<<"$line")
  postmaster=$(head -n1 "$data/postgres/postmaster.pid")
}

# $1 is the signal, $2 its target: `outermost` is the npx that was typed, `group` what Ctrl-C reaches.
stop_server() {
  local signal=$1 recipient=$2 log=$3 from deadline target=$group
  [ "$recipient" = outermost ] || target=-$group
  from=$(now)
  deadline=$((SECONDS + STOP_S + 1))
  kill "-$signal" -- "$target"
  while kill -0 -- "-$group" 2>/dev/null || kill -0 "$postmaster" 2>/dev/null; do
    [ $SECONDS -lt $deadline ] || { fail "not everything gone $STOP_S s after SIG$signal to $recipient" "$log"; return 1; }
    sleep 0.05
  done
  seconds=$(since "$from")
  wait "$group" 2>/dev/null || true
  group=0 postmaster=0
}

# Registers, opens a space and says something; prints the key and the event.
WRITE='
const [url] = process.argv.slice(1)
const post = async (path, body, key) => {
  const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) }
  const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
const { api_key } = await post("/api/actors", { display_name: "Ada", email: "ada@example.org" })
await post("/api/spaces", { space_id: "fresh" }, api_key)
const { event_id } = await post("/api/spaces/fresh/speech", { text: "Is it kept?" }, api_key)
console.log(api_key, event_id)'
READ='
const [url, key, event] = process.argv.slice(1)
const answer = await fetch(`${url}/api/spaces/fresh/events/${event}`, { headers: { authorization: `Bearer ${key}` } })
const { text } = await answer.json()
if (text !== "Is it kept?") throw new Error(`${answer.status} ${text}`)'
script() { local code=$1; shift; timeout 20 node --input-type=module -e "$code" -- "$@"; }

try_start() {
  local first stopped second interrupted log="$work/start.log" written
  start_server $FIRST_START_S "$log" || return
  first=$seconds
  written=$(script "$WRITE" "$url" 2>&1) || { fail "a write failed: $written" "$log"; return 1; }
  stop_server TERM outermost "$log" || return
  stopped=$seconds
  start_server $SECOND_START_S "$log" || return
  second=$seconds
  # shellcheck disable=SC2086 # the key and the event are two words
  written=$(script "$READ" "$url" $written 2>&1) || { fail "the event was not there after a restart: $written" "$log"; return 1; }
  stop_server INT group "$log" || return
  interrupted=$seconds
  echo "ok   $label: first start $first s, SIGTERM $stopped s, second start $second s, Ctrl-C $interrupted s (data: ${data#"$checkout/"})"
}

try_tests() {
  local from log="$work/test.log" summary deadline=$((SECONDS + TEST_S))
  from=$(now)
  in_checkout npx -y pnpm@12 test >"$log" 2>&1 &
  group=$!
  while kill -0 "$group" 2>/dev/null; do
    [ $SECONDS -lt $deadline ] || { fail "test took longer than $TEST_S s" "$log"; return 1; }
    sleep 0.2
  done
  wait "$group" || { fail 'test failed' "$log"; return 1; }
  group=0
  summary=$(grep -E '^ +Tests ' "$log" | tail -n1 | tr -s ' ' || true)
  echo "ok   $label: test in $(since "$from") s,${summary:- no summary}"
}

# Packs and installs the command as its README says, and calls it from another directory.
try_command() {
  local from log="$work/command.log" version
  from=$(now)
  version=$(in_checkout sh -c 'cd apps/cli && npm install --global --prefix "$HOME/npm" "./$(npm pack --silent)" >&2 &&
    cd / && "$HOME/npm/bin/spaces" --version' 2>"$log") || { fail 'the command could not be packed and installed' "$log"; return 1; }
  echo "ok   $label: spaces $version packed and installed in $(since "$from") s"
}

attempt() {
  local node=$1 who=$2 ids
  label="Node $node, $who"
  as=() home="$work/home-$who" checkout="$work/$who-$node"
  if [ "$(id -u)" != 0 ] && [ "$who" != user ]; then
    echo "skip $label: this is not run as root"
    return 0
  fi
  node_dir=$(node_bin "$node") || { echo "skip $label: the registry has no Node $node for this machine"; return 0; }
  mkdir -p "$home"
  clean_environment
  if [ "$who" = locked ]; then
    mkdir -p "$work/locked"
    chmod 700 "$work/locked"
    checkout="$work/locked/$node" home="$work/home-root"
    mkdir -p "$home"
    clean_environment
  fi
  make_checkout
  if [ "$(id -u)" = 0 ] && [ "$who" = user ]; then
    ids=$(ordinary_user)
    if [ -z "$ids" ] || ! command -v setpriv >/dev/null; then
      echo "skip $label: there is no account 'nobody', or no setpriv to become it"
      return 0
    fi
    as=(setpriv "--reuid=${ids% *}" "--regid=${ids#* }" --clear-groups)
    chown -R "${ids/ /:}" "$checkout" "$home"
  fi
  try_start || return 0
  try_command || return 0
  if [ "$tests" = all ] || { [ "$tests" = one ] && [ "$node,$who" = 24,user ]; }; then try_tests || return 0; fi
  rm -rf "$checkout"
}

for combination in $combinations; do attempt "${combination%,*}" "${combination#*,}"; done
if [ "$failures" -gt 0 ]; then
  echo "fresh clones: $failures failed"
  exit 1
fi
echo 'fresh clones: all passed'
