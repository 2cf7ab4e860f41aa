import { decide } from './decide.ts'
import type { Decider, Decision, Question } from './decide.ts'
import type { ConsentPorts } from './ports.ts'

/** Everything that can be done with what clients ask people for. */
export type ConsentCommands = ReturnType<typeof createConsents>

/** Makes what can be done with what clients ask for. */
export function createConsents(ports: ConsentPorts) {
  return {
    find: ({ id, browserSecret }: Question) => ports.oauthInteractions.find(id, browserSecret),
    decide: (question: Question, decider: Decider, given: Decision) => decide(ports, question, decider, given),
  }
}
