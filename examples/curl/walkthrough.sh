#!/usr/bin/env bash
# A morning in the pet store, told with curl. Run it, or read it: every command is printed before its answer.
#
#   ./walkthrough.sh                           starts a server of its own on a free port, and stops it at the end
#   ./walkthrough.sh http://127.0.0.1:4010     uses one that runs; all happens in a sandbox, so nobody is disturbed
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# --- The stage ---

story() { printf '\n'; printf '# %s\n' "$@"; }

# Reads a command, prints it as it was written, runs it, and prints what came back.
try() {
  local command answer
  command=$(cat)
  printf '$ %s\n' "$command"
  answer=$(eval "$command")
  printf '%s\n' "${answer//$'\r'/}"
}

curl() { command curl --silent --show-error "$@"; }

start_server() {
  folder=$(mktemp -d)
  mkfifo "$folder/ready"
  # The command itself and not npx, which would keep the signal that is to stop it.
  node_modules/.bin/petstore-mock --port 0 --sunset enforce --quiet --log-format json >"$folder/ready" &
  server=$!
  trap stop_server EXIT
  # One line says that it is ready, and where.
  local ready
  if ! read -r ready <"$folder/ready"; then
    echo 'The server did not start. Is petstore-mock installed? Run npm install in this folder first.' >&2
    exit 1
  fi
  SERVER=$(sed 's/.*"url":"\([^"]*\)".*/\1/' <<<"$ready")
}

stop_server() {
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  rm -r "$folder"
}

if [ $# -gt 0 ]; then SERVER=${1%/}; else start_server; fi
BASE=$SERVER/sandbox/walkthrough
JSON='Content-Type: application/json'
# The default world, whichever one the server was started in.
curl --fail --output /dev/null -X POST "$BASE/__admin/reset" -H "$JSON" -d '{"seed":1,"scenario":"default"}'

printf '%s\n' "SERVER=$SERVER" "BASE=\$SERVER/sandbox/walkthrough" "JSON='$JSON'"

# --- The story ---

story 'Who waits for a home? The same seed gives the same pets, on every machine.'
try <<'EOF'
curl "$BASE/pets?status=available&limit=3"
EOF

story 'Lists come in pages. Headers say how much there is, and where the next page is.'
try <<'EOF'
curl --head "$BASE/pets?categoryId=1&limit=5" | grep -E '^(HTTP|X-Total-Count|Link)'
EOF

story 'A dog moves in. The store gives it an id, and a stock of one.'
try <<'EOF'
curl -X POST "$BASE/pets" -H "$JSON" -d '{"name":"Biscuit","categoryId":1}'
EOF
try <<'EOF'
curl -X PUT "$BASE/store/inventory/73" -H "$JSON" -d '{"quantity":3}'
EOF

story 'Somebody orders two, and two are gone from the stock.'
try <<'EOF'
curl -X POST "$BASE/store/orders" -H "$JSON" -d '{"petId":73,"quantity":2}'
EOF
try <<'EOF'
curl "$BASE/store/inventory/73"
EOF

story 'A refusal says what was wrong and what would be right, always in the same shape:' \
  'too many of them, a body that is not what the document says, a pet that is not there.'
try <<'EOF'
curl -X POST "$BASE/store/orders" -H "$JSON" -d '{"petId":73,"quantity":2}'
EOF
try <<'EOF'
curl -X POST "$BASE/store/orders" -H "$JSON" -d '{"petId":"Biscuit"}'
EOF
try <<'EOF'
curl "$BASE/store/inventory/999"
EOF

story 'Take a snapshot, make a mess, and go back.'
try <<'EOF'
curl -X POST "$BASE/__admin/snapshots" -H "$JSON" -d '{"name":"tidy"}' | grep -o '"sizes".*}'
EOF
try <<'EOF'
curl -X DELETE "$BASE/store/orders/121" --write-out '%{http_code}'
EOF
try <<'EOF'
curl "$BASE/store/inventory/73"
EOF
try <<'EOF'
curl -X POST "$BASE/__admin/snapshots/tidy/restore" --write-out '%{http_code}'
EOF
try <<'EOF'
curl "$BASE/store/inventory/73"
EOF

story 'Let the next order fail, once, as a service does that is being deployed. The one after it works.'
try <<'EOF'
curl -X POST "$BASE/__admin/faults" -H "$JSON" -d '{"operation":"createOrder","status":503,"times":1}' --output /dev/null --write-out '%{http_code}'
EOF
try <<'EOF'
curl -X POST "$BASE/store/orders" -H "$JSON" -d '{"petId":73}'
EOF
try <<'EOF'
curl -X POST "$BASE/store/orders" -H "$JSON" -d '{"petId":73}'
EOF

story 'A client can also ask for a failure itself, without a rule.'
try <<'EOF'
curl "$BASE/pets" -H 'Prefer: code=429'
EOF

story 'GET /pets/{petId} is deprecated, and says until when it will be there.' \
  'Set the clock past that day: the server was started with --sunset enforce, so it is gone.'
try <<'EOF'
curl --head "$BASE/pets/73" | grep -E '^(HTTP|Sunset)'
EOF
try <<'EOF'
curl -X PUT "$BASE/__admin/clock" -H "$JSON" -d '{"now":"2030-12-06T09:00:00Z","frozen":true}'
EOF
try <<'EOF'
curl "$BASE/pets/73"
EOF

story 'What is done today is dated today.'
try <<'EOF'
curl -X PATCH "$BASE/store/orders/121" -H "$JSON" -d '{"complete":true}'
EOF

story 'All this happened in a sandbox. In another one Biscuit has never moved in, and it is another year.'
try <<'EOF'
curl "$SERVER/store/inventory/73" -H 'X-Petstore-Sandbox: next-door'
EOF
try <<'EOF'
curl "$SERVER/pets/1" -H 'X-Petstore-Sandbox: next-door'
EOF

story 'The journal remembers what was asked and answered. These are the orders that were tried.'
try <<'EOF'
curl "$BASE/__admin/journal?operation=createOrder" | grep -o '"operation":"createOrder","params":{},"status":[0-9]*'
EOF

story 'And one call makes everything as it was in the morning.'
try <<'EOF'
curl -X POST "$BASE/__admin/reset" --write-out '%{http_code}'
EOF
try <<'EOF'
curl "$BASE/store/inventory/73"
EOF
