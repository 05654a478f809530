import { existsSync } from "node:fs";

// Loaded before a program: takes from .env what the environment does not set already, as Next does for the web server.
if (existsSync(".env")) process.loadEnvFile();
