import { z } from 'zod'

/** The protocol says itself what is wrong with a query, to the client where it can; a field given twice is a list. */
export const asked = z.object({}).catchall(z.union([z.string(), z.string().array()]))
