import { z } from 'zod'

/** The token of the link in the path. */
export const tokenParams = z.object({
  token: z.string().meta({
    description:
      'Pairing token of a connect link; `self`: that of `authorization: Bearer rp_...`, so that it stands in no URL',
    example: 'rp_00000000000000000000000000',
  }),
})
