import { z } from 'zod'

/** A ws: or wss: URL at which gateways dial a program. */
export const socketUrl = z
  .string()
  .max(1_000)
  .refine((text) => URL.canParse(text) && ['ws:', 'wss:'].includes(new URL(text).protocol))
