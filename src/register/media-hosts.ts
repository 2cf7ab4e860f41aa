import { z } from 'zod'
import type { MediaHostEntry } from '../ports/media-register.ts'
import type { EntryKind } from './entry-kind.ts'
import { socketUrl } from './socket-url.ts'

/** Media hosts in a register. */
export const MEDIA_HOSTS: EntryKind<MediaHostEntry> = {
  label: 'media',
  keys: 'media-hosts',
  programs: 'media hosts',
  shape: z.object({
    hostId: z.string().min(1).max(100),
    controlUrl: socketUrl,
    publicUrl: z.string().max(1_000),
    version: z.string().max(100),
    calls: z.number().int().nonnegative(),
    tickLateP99Ms: z.number().nonnegative(),
    cpu: z.number().nonnegative(),
    draining: z.boolean(),
  }),
  idOf: ({ hostId }) => hostId,
}
