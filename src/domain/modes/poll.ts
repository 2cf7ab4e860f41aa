import { faulty, read } from '../fault.ts'
import type { Read } from '../fault.ts'
import type { Maybe } from '../send-body.ts'
import { repeats } from './repeats.ts'

export interface PollBody {
  readonly question: string
  readonly options: readonly string[]
  /** A person may choose several options; one when absent. */
  readonly multiple?: Maybe<boolean>
}

export interface PollMode {
  readonly mode: 'poll'
  readonly poll: { readonly question: string; readonly options: readonly string[]; readonly multiple: boolean }
}

/** Reads a poll ([message-verbs.modes.6]). Votes name options by their texts, so these differ. */
export function readPoll({ question, options, multiple }: PollBody): Read<PollMode> {
  const placed = options.map((option, at) => ({ path: `poll.options.${at}`, option }))
  const faults = repeats(placed, ({ option }) => option.trim(), '', 'the other options')
  if (faults.length > 0) return faulty(...faults)
  return read({ mode: 'poll', poll: { question, options, multiple: multiple ?? false } })
}
