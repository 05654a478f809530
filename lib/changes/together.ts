type Waiting<Call, Answer> = { call: Call; resolve: (answer: Answer) => void; reject: (error: unknown) => void };
type Queue<Call, Answer> = { waiting: Waiting<Call, Answer>[]; flying: boolean };

/**
 * Sends calls of one merchant together, without a timer: a call goes at once where its merchant is idle, and what arrives while a
 * batch is in flight goes together next. Merchants fly beside each other. A caller is answered after its batch's commit.
 */
export class Together<Call, Answer> {
  readonly #queues = new Map<string, Queue<Call, Answer>>();

  constructor(
    readonly send: (merchantId: string, calls: readonly Call[]) => Promise<Answer[]>,
    readonly most = 60,
  ) {}

  call(merchantId: string, call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(merchantId) ?? { waiting: [], flying: false };
      this.#queues.set(merchantId, queue);
      queue.waiting.push({ call, resolve, reject });
      if (!queue.flying) void this.#fly(merchantId, queue);
    });
  }

  async #fly(merchantId: string, queue: Queue<Call, Answer>): Promise<void> {
    queue.flying = true;
    while (queue.waiting.length > 0) {
      const batch = queue.waiting.splice(0, this.most);
      try {
        const answers = await this.send(merchantId, batch.map(({ call }) => call));
        batch.forEach(({ resolve }, index) => resolve(answers[index]!));
      } catch (error) {
        for (const { reject } of batch) reject(error); // a lost connection says nothing: callers come again under their keys
      }
    }
    this.#queues.delete(merchantId);
  }
}
