import type { ExecutionContext, TestFn } from 'ava'
import type { MediaHostEntry, MediaRegister } from '../../src/ports/media-register.ts'
import { REGISTER_TTL_MS } from '../../src/ports/register.ts'

export interface RegisterWorld {
  /** Two views of one register: a host's and a gateway's. */
  readonly here: MediaRegister
  readonly there: MediaRegister
  /** Lets time pass. */
  wait(ms: number): Promise<void>
}

export function mediaHostEntry(fields: Partial<MediaHostEntry> = {}): MediaHostEntry {
  return {
    hostId: 'host-a',
    controlUrl: 'ws://10.0.0.1:3011',
    publicUrl: 'wss://media.example',
    version: '1.0.0',
    calls: 3,
    tickLateP99Ms: 1.5,
    cpu: 0.4,
    draining: false,
    ...fields,
  }
}

async function idsIn(register: MediaRegister): Promise<string[]> {
  return (await register.list()).map(({ hostId }) => hostId).toSorted()
}

/** What every MediaRegister does; `open` makes an empty one. */
export function mediaRegisterSuite(
  test: TestFn,
  name: string,
  open: (t: ExecutionContext) => Promise<RegisterWorld>,
): void {
  test(`${name}: an entry that one node writes is listed whole by the others, and writing it again replaces it`, async (t) => {
    const { here, there } = await open(t)
    t.deepEqual(await there.list(), [])
    await here.put(mediaHostEntry())
    await here.put(mediaHostEntry({ hostId: 'host-b', controlUrl: 'wss://b.example/control' }))
    t.deepEqual(await idsIn(there), ['host-a', 'host-b'])
    const later = mediaHostEntry({ calls: 7, draining: true })
    await here.put(later)
    t.deepEqual(
      (await there.list()).find(({ hostId }) => hostId === 'host-a'),
      later,
    )
  })

  // [media-hosts.register.1]
  test(`${name}: an entry that is not put again runs out after 6 s, its neighbour stays`, async (t) => {
    const { here, there, wait } = await open(t)
    await here.put(mediaHostEntry())
    await wait(REGISTER_TTL_MS / 2)
    await here.put(mediaHostEntry({ hostId: 'host-b' }))
    t.deepEqual(await idsIn(there), ['host-a', 'host-b'])
    await wait(REGISTER_TTL_MS / 2 + 50)
    t.deepEqual(await idsIn(there), ['host-b'])
    await here.put(mediaHostEntry({ hostId: 'host-b' }))
    await wait(REGISTER_TTL_MS / 2)
    t.deepEqual(await idsIn(there), ['host-b'])
  })

  test(`${name}: a removed entry is gone at once, and removing it twice is harmless`, async (t) => {
    const { here, there } = await open(t)
    await here.put(mediaHostEntry())
    await here.remove('host-a')
    await here.remove('host-a')
    t.deepEqual(await there.list(), [])
  })
}
