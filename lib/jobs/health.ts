import { databaseNow } from "../database/transactions";

export const databaseAnswers = (): Promise<boolean> => databaseNow().then(() => true, () => false);
