import test from 'ava'
import { HELD_MESSAGE_BYTES, SessionInbox } from '../../../media-host/realtime/session-inbox.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'

/** An inbox that reads while `state.may` is true, with a record of what it did. */
function inbox() {
  const clock = new FakeClock()
  const state = { may: 0, mayHold: 1_000_000, held: 0, room: 1_000, isPaused: false, overflows: 0 }
  const read: string[] = []
  const connection = {
    sendText() {},
    sendBinary() {},
    cork(work: () => void) {
      work()
    },
    ping() {},
    end() {},
    bufferedBytes: 0,
    pause() {
      state.isPaused = true
    },
    resume() {
      state.isPaused = false
    },
  }
  const made = new SessionInbox({
    connection,
    clock,
    mayRead: () => state.may > 0,
    hold(bytes) {
      if (state.held + bytes > state.mayHold) return false
      state.held += bytes
      return true
    },
    release: (bytes) => void (state.held -= bytes),
    hasRoom: () => state.room > 0,
    read(bytes) {
      state.may--
      state.room--
      read.push(Buffer.from(bytes).toString())
    },
    overflow: () => void state.overflows++,
  })
  return { clock, state, read, inbox: made, take: (text: string) => made.take(Buffer.from(text), false) }
}

test('messages over the budget wait in order, and the connection is read again once none waits', (t) => {
  const { clock, state, read, take } = inbox()
  state.may = 2
  for (const text of 'abcdef') take(text)
  t.deepEqual(read, ['a', 'b'])
  t.true(state.isPaused)
  state.may = 3
  clock.advance(20)
  t.deepEqual(read, ['a', 'b', 'c', 'd', 'e'])
  t.true(state.isPaused)
  state.may = 5
  clock.advance(20)
  t.is(read.join(''), 'abcdef')
  t.false(state.isPaused)
  take('g')
  t.is(read.join(''), 'abcdefg')
})

test('after a client left, its messages that fit are all read, whatever they cost', (t) => {
  const { clock, state, read, inbox: made, take } = inbox()
  state.may = 1
  state.room = 3
  for (const text of 'abcde') take(text)
  made.finish()
  t.is(read.join(''), 'abc')
  state.may = 100
  state.room = 100
  clock.advance(1_000)
  t.is(read.join(''), 'abc')
})

test('a connection that keeps sending far over its budget is reported', (t) => {
  const { state, inbox: made } = inbox()
  state.may = 1
  for (let i = 0; i < 16; i++) made.take(new Uint8Array(65_536), true)
  t.is(state.overflows, 0)
  t.is(state.held, 15 * (65_536 + HELD_MESSAGE_BYTES))
  made.take(new Uint8Array(65_536), true)
  t.is(state.overflows, 1)
  made.close()
  t.is(state.held, 0)
})

test('small messages count by what it takes to hold them, not by their bytes alone', (t) => {
  const { state, inbox: made } = inbox()
  for (let i = 0; state.overflows === 0; i++) {
    made.take(new Uint8Array(2), true)
    t.true(i < 3_000)
  }
  state.may = 1
  made.finish()
  t.is(state.held, 0)
})
