import { z } from 'zod'
import type { EngineEntry } from '../ports/engine-register.ts'
import type { EntryKind } from './entry-kind.ts'
import { socketUrl } from './socket-url.ts'

/** Engines of QR-paired numbers in a register. */
export const ENGINES: EntryKind<EngineEntry> = {
  label: 'engine',
  keys: 'engines',
  programs: 'engines',
  shape: z.object({
    engineId: z.string().min(1).max(100),
    url: socketUrl,
    version: z.string().max(100),
    sessions: z.number().int().nonnegative(),
    capacity: z.number().int().positive(),
    draining: z.boolean(),
  }),
  idOf: ({ engineId }) => engineId,
}
