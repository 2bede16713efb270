# Installs the four servers, in the versions that the suite is proved with, below a folder, and
# puts them into its `bin`:
#
#     sh servers.sh ~/workbench-servers
#     export PATH=~/workbench-servers/bin:$PATH
#
# It needs Python 3.10 or newer with venv, Node.js 20 or newer with npm, and git.
set -eu
folder=${1:?the folder to install into}
mkdir -p "$folder/bin"
folder=$(cd "$folder" && pwd)

npm install --silent --no-fund --no-audit --prefix "$folder/npm" \
  @modelcontextprotocol/server-filesystem@2026.8.31 @modelcontextprotocol/server-memory@2026.8.31
python3 -m venv "$folder/git"
# The client and PyYAML are for prove.py.
"$folder/git/bin/pip" install -q mcp-server-git==2026.10.19 mcp==2.3.0 PyYAML
# This server does not work with version 2 of the protocol's library.
python3 -m venv "$folder/sqlite"
"$folder/sqlite/bin/pip" install -q mcp-server-sqlite==2025.4.25 'mcp<2'

for server in npm/node_modules/.bin/mcp-server-filesystem npm/node_modules/.bin/mcp-server-memory \
  git/bin/mcp-server-git sqlite/bin/mcp-server-sqlite; do
  ln -sf "$folder/$server" "$folder/bin/"
done
