import test from 'ava'
import { array, assert, integer, property } from 'fast-check'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { RunningAnswers } from '../../../src/http/connection/running-answers.ts'

test('answers are running until they are closed, in whatever order they are', (t) => {
  assert(
    property(array(integer({ min: 0, max: 99 }), { maxLength: 200 }), (steps) => {
      const running = new RunningAnswers()
      const open: ServerResponse[] = []
      for (const step of steps) {
        // An even step opens an answer, an odd one closes one of those that are open.
        if (step % 2 === 0 || open.length === 0) {
          const response = new EventEmitter() as ServerResponse
          running.add(response)
          open.push(response)
        } else open.splice(step % open.length, 1)[0]?.emit('close')
        const listed = new Set(running.all())
        if (running.all().length !== open.length || !open.every((response) => listed.has(response))) return false
      }
      return true
    }),
  )
  t.pass()
})
