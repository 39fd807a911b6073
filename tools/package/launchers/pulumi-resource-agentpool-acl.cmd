@echo off
rem Starts the provider with the Node runtime in this folder, without options for other Node installations.
setlocal
set "NODE_OPTIONS="
"%~dp0node.exe" "%~dp0provider.js" %*
