import pg from "pg";

const INSUFFICIENT_PRIVILEGE = "42501";

/** The same login on another database of the same server. */
export const onDatabase = (url, name) => Object.assign(new URL(url), { pathname: `/${name}` }).href;

/**
 * Runs `work` with one connection, closed afterwards.
 * @template T
 * @param {string} url
 * @param {(client: pg.Client) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function connected(url, work) {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Makes a database as its owner, empty or as a copy of `template`. Only the application may connect to it, and it may
 * make no objects there, not even temporary ones. `serverUrl` is the owner's, of any database of the server.
 */
export async function createDatabase(serverUrl, name, template) {
  await connected(serverUrl, async (client) => {
    await client.query(`CREATE DATABASE "${name}"${template ? ` TEMPLATE "${template}"` : ""}`);
    await client.query(`REVOKE ALL ON DATABASE "${name}" FROM PUBLIC`);
    await client.query(`GRANT CONNECT ON DATABASE "${name}" TO undersigned_app`);
  });
}

/** The owner may end only its own connections; for the application's, which are ending, PostgreSQL then waits. */
export const dropDatabase = (serverUrl, name) =>
  connected(serverUrl, (client) =>
    client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`).catch((error) => {
      if (error.code !== INSUFFICIENT_PRIVILEGE) throw error;
      return client.query(`DROP DATABASE IF EXISTS "${name}"`);
    }),
  );

export const databaseExists = (serverUrl, name) =>
  connected(serverUrl, async (client) => (await client.query("SELECT FROM pg_database WHERE datname = $1", [name])).rowCount === 1);
