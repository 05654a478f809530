-- A request is counted without waiting for the disk: all calls of a key take turns on its minute's row, and a count lost in a crash harms nobody.
CREATE OR REPLACE FUNCTION key_enter(p_secret_hash text, OUT merchant_id text, OUT key_id text, OUT agent_id text, OUT owner_id text, OUT made_by text, OUT scopes text[], OUT now timestamptz, OUT requests int)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$ BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  now := ledger_clock();
  SELECT k.merchant_id, k.id, k.agent_id, k.owner_id, k.made_by, k.scopes INTO merchant_id, key_id, agent_id, owner_id, made_by, scopes
    FROM agent_key k WHERE k.secret_hash = p_secret_hash AND k.revoked_at IS NULL AND k.expires_at > now;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO request_minute AS r VALUES (merchant_id, key_id, date_trunc('minute', now, 'UTC'), 1)
    ON CONFLICT ON CONSTRAINT request_minute_pkey DO UPDATE SET requests = r.requests + 1 RETURNING r.requests INTO requests;
END $$;
