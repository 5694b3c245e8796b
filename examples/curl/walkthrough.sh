#!/usr/bin/env bash
# A tour of the mock with curl. Every command is printed before its output.
#
#   ./walkthrough.sh                           starts a server on a free port, and stops it at the end
#   ./walkthrough.sh http://127.0.0.1:4010     uses a running server, in a sandbox, so other clients are not affected
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# --- Set-up ---

explain() { printf '\n'; printf '# %s\n' "$@"; }

# Reads a command, prints it, runs it, and prints its output.
try() {
  local command output
  command=$(cat)
  printf '$ %s\n' "$command"
  output=$(eval "$command")
  printf '%s\n' "${output//$'\r'/}"
}

curl() { command curl --silent --show-error "$@"; }

start_server() {
  folder=$(mktemp -d)
  mkfifo "$folder/ready"
  # The command itself, not npx, which would not forward the signal that stops it.
  node_modules/.bin/petstore-mock --port 0 --sunset enforce --quiet --log-format json >"$folder/ready" &
  server=$!
  trap stop_server EXIT
  # It prints one line with its URL when it is ready.
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
# The default starting data, whatever the server was started with.
curl --fail --output /dev/null -X POST "$BASE/__admin/reset" -H "$JSON" -d '{"seed":1,"scenario":"default"}'

printf '%s\n' "SERVER=$SERVER" "BASE=\$SERVER/sandbox/walkthrough" "JSON='$JSON'"

# --- The tour ---

explain 'List available pets. The same seed gives the same pets on every machine.'
try <<'EOF'
curl "$BASE/pets?status=available&limit=3"
EOF

explain 'Lists are paged. Headers have the total count and the link to the next page.'
try <<'EOF'
curl --head "$BASE/pets?categoryId=1&limit=5" | grep -E '^(HTTP|X-Total-Count|Link)'
EOF

explain 'Create a dog. It gets an id, and a stock of one. Then set its stock to three.'
try <<'EOF'
curl -X POST "$BASE/pets" -H "$JSON" -d '{"name":"Biscuit","categoryId":1}'
EOF
try <<'EOF'
curl -X PUT "$BASE/store/inventory/73" -H "$JSON" -d '{"quantity":3}'
EOF

explain 'Order two of them. The stock goes down by two.'
try <<'EOF'
curl -X POST "$BASE/store/orders" -H "$JSON" -d '{"petId":73,"quantity":2}'
EOF
try <<'EOF'
curl "$BASE/store/inventory/73"
EOF

explain 'Errors always have the same shape, and the message says what is wrong:' \
  'too little stock, a body that violates the OpenAPI document, an unknown pet.'
try <<'EOF'
curl -X POST "$BASE/store/orders" -H "$JSON" -d '{"petId":73,"quantity":2}'
EOF
try <<'EOF'
curl -X POST "$BASE/store/orders" -H "$JSON" -d '{"petId":"Biscuit"}'
EOF
try <<'EOF'
curl "$BASE/store/inventory/999"
EOF

explain 'Take a snapshot, delete an order, and restore the snapshot.'
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

explain 'Make the next order fail once with 503. The one after it works.'
try <<'EOF'
curl -X POST "$BASE/__admin/faults" -H "$JSON" -d '{"operation":"createOrder","status":503,"times":1}' --output /dev/null --write-out '%{http_code}'
EOF
try <<'EOF'
curl -X POST "$BASE/store/orders" -H "$JSON" -d '{"petId":73}'
EOF
try <<'EOF'
curl -X POST "$BASE/store/orders" -H "$JSON" -d '{"petId":73}'
EOF

explain 'Replace the next response of an operation with your own, headers included.'
try <<'EOF'
curl -X POST "$BASE/__admin/overrides" -H "$JSON" -d '{"operation":"listPets","status":503,"headers":{"Retry-After":"2"},"times":1}' --output /dev/null --write-out '%{http_code}'
EOF
try <<'EOF'
curl --head "$BASE/pets" | grep -E '^(HTTP|Retry-After)'
EOF

explain 'Wait for a request without polling: the response comes as soon as the request has arrived.'
try <<'EOF'
(sleep 0.3 && curl --output /dev/null "$BASE/categories/1") & curl "$BASE/__admin/journal?operation=getCategory&waitMs=10000" | grep -o '"path":"[^"]*"'
EOF

explain 'A client can also request a failure itself, without a rule.'
try <<'EOF'
curl "$BASE/pets" -H 'Prefer: code=429'
EOF

explain 'GET /pets/{petId} is deprecated, and announces its sunset date in a header.' \
  'Set the clock past that date: the server was started with --sunset enforce, so it returns 410.'
try <<'EOF'
curl --head "$BASE/pets/73" | grep -E '^(HTTP|Sunset)'
EOF
try <<'EOF'
curl -X PUT "$BASE/__admin/clock" -H "$JSON" -d '{"now":"2030-12-06T09:00:00Z","frozen":true}'
EOF
try <<'EOF'
curl "$BASE/pets/73"
EOF

explain 'Completing an order sets its ship date, from the clock of the sandbox.'
try <<'EOF'
curl -X PATCH "$BASE/store/orders/121" -H "$JSON" -d '{"complete":true}'
EOF

explain 'All this happened in one sandbox. Another sandbox has its own data and its own clock.'
try <<'EOF'
curl "$SERVER/store/inventory/73" -H 'X-Petstore-Sandbox: other'
EOF
try <<'EOF'
curl "$SERVER/pets/1" -H 'X-Petstore-Sandbox: other'
EOF

explain 'The journal records requests and responses. These are the attempts to place an order.'
try <<'EOF'
curl "$BASE/__admin/journal?operation=createOrder" | grep -o '"operation":"createOrder","params":{},"status":[0-9]*'
EOF

explain 'One request resets everything to the starting data.'
try <<'EOF'
curl -X POST "$BASE/__admin/reset" --write-out '%{http_code}'
EOF
try <<'EOF'
curl "$BASE/store/inventory/73"
EOF
