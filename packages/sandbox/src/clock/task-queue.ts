interface Task {
  readonly at: number;
  readonly run: () => Promise<void>;
}

/** Tasks by due time. There are few at a time, so a plain list is enough. */
export class TaskQueue {
  #tasks: Task[] = [];

  add(at: number, run: () => Promise<void>): () => void {
    const task = { at, run };
    this.#tasks.push(task);
    this.#tasks.sort((a, b) => a.at - b.at);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task);
    };
  }

  nextAt(): number | undefined {
    return this.#tasks[0]?.at;
  }

  /** Removes and returns the tasks due at `now`, earliest first. */
  takeDue(now: number): (() => Promise<void>)[] {
    const due = this.#tasks.filter((task) => task.at <= now);
    this.#tasks = this.#tasks.filter((task) => task.at > now);
    return due.map((task) => task.run);
  }

  clear(): void {
    this.#tasks = [];
  }
}
