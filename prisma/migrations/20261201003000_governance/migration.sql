-- Two admins where there are two: a policy that one proposed waits here for another; a pause remembers who threw the switch.

CREATE TABLE policy_proposal (
  merchant_id text PRIMARY KEY REFERENCES merchant (id),      -- one at a time
  base        int NOT NULL,                                   -- the version in force when it was proposed
  rules       text NOT NULL,
  digest      text NOT NULL CHECK (digest = encode(sha256(convert_to(rules, 'UTF8')), 'hex')),
  proposed_by text NOT NULL,
  proposed_at timestamptz(3) NOT NULL,
  FOREIGN KEY (merchant_id, proposed_by) REFERENCES member (merchant_id, person_id)
);

CREATE TABLE pause (
  merchant_id   text PRIMARY KEY REFERENCES merchant (id),
  paused_by     text NOT NULL,
  paused_at     timestamptz(3) NOT NULL,
  reason_digest text NOT NULL,
  FOREIGN KEY (merchant_id, paused_by) REFERENCES member (merchant_id, person_id)
);

ALTER TABLE policy_proposal ENABLE ROW LEVEL SECURITY;
ALTER TABLE pause ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_merchant ON policy_proposal TO undersigned_app USING (merchant_id = current_merchant()) WITH CHECK (merchant_id = current_merchant());
CREATE POLICY own_merchant ON pause TO undersigned_app USING (merchant_id = current_merchant()) WITH CHECK (merchant_id = current_merchant());
GRANT SELECT, INSERT, DELETE ON policy_proposal, pause TO undersigned_app;
