import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import * as engine from "@prisma/schema-engine-wasm/schema_engine_bg";
import { connected, onDatabase } from "./databases.mjs";

// Prisma's own commands download a native engine. This is the same engine as WebAssembly, from the lockfile.
const SCHEMA = "prisma/schema.prisma";
export const MIGRATIONS = "prisma/migrations";
const CHAR_OID = 18;
const BPCHAR_OID = 1042;

const wasm = join(dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg")), "schema_engine_bg.wasm");
const { instance } = await WebAssembly.instantiate(readFileSync(wasm), { "./schema_engine_bg.js": engine });
engine.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();
globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => console.error(message) };

export const filters = { externalTables: [], externalEnums: [] };
export const schemaFiles = () => [{ path: resolve(SCHEMA), content: readFileSync(SCHEMA, "utf8") }];

/** The migrations folder as the engine wants it. */
export function migrationsList() {
  const lockfile = join(MIGRATIONS, "migration_lock.toml");
  const names = readdirSync(MIGRATIONS, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort();
  return {
    baseDir: resolve(MIGRATIONS),
    shadowDbInitScript: "",
    lockfile: { path: "migration_lock.toml", content: existsSync(lockfile) ? readFileSync(lockfile, "utf8") : null },
    migrationDirectories: names.map((name) => ({
      path: name,
      migrationFile: { path: "migration.sql", content: { tag: "ok", value: readFileSync(join(MIGRATIONS, name, "migration.sql"), "utf8") } },
    })),
  };
}

/** The engine on one database. */
export function openEngine(url) {
  const factory = bindMigrationAwareSqlAdapterFactory(new WholeScripts({ connectionString: url }));
  return engine.SchemaEngine.new({ datamodels: schemaFiles().map((file) => [file.path, file.content]) }, () => {}, factory);
}

/** The engine on an empty database that is dropped afterwards: the WebAssembly build makes none for PostgreSQL. */
export async function withShadow(serverUrl, work) {
  const name = `shadow_${randomUUID()}`;
  return connected(serverUrl, async (server) => {
    await server.query(`CREATE DATABASE "${name}"`);
    try {
      return await work(await openEngine(onDatabase(serverUrl, name)));
    } finally {
      await server.query(`DROP DATABASE "${name}" WITH (FORCE)`);
    }
  });
}

/** The stock adapter splits scripts at each `;`, which breaks function bodies, and cannot read the catalog's "char". */
class WholeScripts extends PrismaPg {
  connect = async () => whole(await super.connect());
  connectToShadowDb = async () => whole(await super.connectToShadowDb());
}

function whole(adapter) {
  const performIO = adapter.performIO.bind(adapter);
  const queryRaw = Object.getPrototypeOf(Object.getPrototypeOf(adapter)).queryRaw;
  adapter.executeScript = async (script) => {
    const client = await adapter.underlyingDriver().connect();
    try {
      await client.query(script);
    } catch (error) {
      adapter.onError(error);
    } finally {
      client.release();
    }
  };
  adapter.queryRaw = async (query) => {
    const chars = [];
    const reading = {
      __proto__: adapter,
      async performIO(sql) {
        const answer = await performIO(sql);
        for (const [index, field] of answer.fields.entries()) {
          if (field.dataTypeID !== CHAR_OID) continue;
          chars.push(index);
          field.dataTypeID = BPCHAR_OID;
        }
        return answer;
      },
    };
    const result = await queryRaw.call(reading, query);
    for (const index of chars) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  return adapter;
}
