@echo off
rem Starts the provider with the Node runtime beside it, which options for other Nodes must not reach.
setlocal
set "NODE_OPTIONS="
"%~dp0node.exe" "%~dp0provider.js" %*
