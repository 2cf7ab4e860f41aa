import { z } from 'zod'
import type { MediaType } from './media-rules.ts'

/** A file in a message: uploaded before, or on some host. */
export interface MediaReference {
  readonly type: MediaType
  readonly id: string | null
  readonly link: string | null
}

/** An object that names its file by either `id` or `link`, with the fields of `more`. */
export function mediaShape(more: z.ZodRawShape): z.ZodType {
  return z
    .strictObject({ id: z.string().min(1).optional(), link: z.url({ protocol: /^https?$/ }).optional(), ...more })
    .superRefine(({ id, link }, context) => {
      if (id === undefined && link === undefined)
        context.addIssue({ code: 'custom', path: ['id'], message: 'id or link is required' })
      if (id !== undefined && link !== undefined)
        context.addIssue({ code: 'custom', path: [], message: 'takes id or link, not both' })
    })
}
