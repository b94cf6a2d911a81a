import { SingleBar } from 'cli-progress';

/** A bar that shows how much of something is done, on a terminal only. */
export interface Progress {
  /** Tells that more is done; shows the bar where it was hidden. */
  readonly add: (amount: number) => void;
  /** Takes the bar away, so that something else can be told. */
  readonly hide: () => void;
}

/** The progress towards a total. Nothing is shown where the total is 0, or on what is no terminal. */
export function showProgress(total: number, stream: NodeJS.WritableStream = process.stderr): Progress {
  const bar = new SingleBar({ stream, format: '{bar} {percentage}%', clearOnComplete: true });
  let done = 0;
  return {
    add: (amount) => {
      done += amount;
      if (bar.isActive) bar.update(done);
      else if (total > 0) bar.start(total, done);
    },
    hide: () => bar.stop(),
  };
}
