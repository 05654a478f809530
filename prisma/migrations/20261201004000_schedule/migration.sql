-- When an approved change is to be applied, as the person chose it: the local time and its zone. One row per `change.scheduled` with a time.
CREATE TABLE change_schedule (
  merchant_id text NOT NULL,
  change_id   text NOT NULL,
  revision    int NOT NULL,
  person_id   text NOT NULL,
  local       text NOT NULL,
  zone        text NOT NULL,
  at          timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, change_id, revision),
  FOREIGN KEY (merchant_id, change_id) REFERENCES change (merchant_id, id),
  CONSTRAINT change_schedule_has_entry FOREIGN KEY (merchant_id, change_id, revision) REFERENCES entry (merchant_id, subject, revision) DEFERRABLE INITIALLY DEFERRED
);
ALTER TABLE change_schedule ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_merchant ON change_schedule TO undersigned_app USING (merchant_id = current_merchant()) WITH CHECK (merchant_id = current_merchant());
GRANT SELECT, INSERT ON change_schedule TO undersigned_app;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON change_schedule FOR EACH STATEMENT EXECUTE FUNCTION refuse();
