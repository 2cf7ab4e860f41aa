import { z } from 'zod'

export const mediaParams = z.object({
  mediaId: z
    .string()
    .meta({ description: 'The `media.id` of a message, `mediaId` of its event', example: '1037543291543636' }),
})

export const mediaQuery = z.object({
  phoneNumberId: z
    .string({ error: 'is needed: the upstream phone number id that received the message' })
    .min(1)
    .max(64)
    .meta({ description: 'Upstream phone number id that received the message' }),
})

export const media = z
  .object({
    base64: z.string().meta({ description: 'Complete data URI' }),
    mimeType: z.string(),
    fileName: z.string().nullable(),
    mediaId: z.string(),
  })
  .meta({ id: 'Media' })
