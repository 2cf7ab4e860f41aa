import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Keeps the process under test on the last core, and what loads it on the others, with all their threads. */
export const ownCore = {
  /** True where there are two cores to part. */
  isPossible: availableParallelism() > 1,
  forTested: (pid: number) => pin(pid, String(availableParallelism() - 1)),
  forLoad: (pid: number) => pin(pid, `0-${availableParallelism() - 2}`),
}

/** By `taskset` of util-linux: it binds threads that are there already. */
function pin(pid: number, cores: string): void {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' })
}
