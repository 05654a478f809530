-- What a guardrail refused, as it was judged: so that a draft of a policy can be tried on it too. Written with the refusal's entry, and only where there is one,
-- so that it grows no faster than the log's own bound on refusals.

CREATE TABLE refused_proposal (
  merchant_id    text NOT NULL,
  seq            bigint NOT NULL,                             -- of its change.refused
  proposed_by    text NOT NULL CHECK (proposed_by IN ('agent','person')),
  order_id       text NOT NULL,
  currency       text NOT NULL,
  amount_minor   bigint NOT NULL,
  captured_minor bigint NOT NULL,                             -- of the payment, when it was judged
  verdict        text NOT NULL,
  PRIMARY KEY (merchant_id, seq),
  FOREIGN KEY (merchant_id, seq) REFERENCES entry (merchant_id, seq),
  FOREIGN KEY (merchant_id, order_id) REFERENCES shop_order (merchant_id, id)
);

ALTER TABLE refused_proposal ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_merchant ON refused_proposal TO undersigned_app USING (merchant_id = current_merchant()) WITH CHECK (merchant_id = current_merchant());
GRANT SELECT, INSERT ON refused_proposal TO undersigned_app;
