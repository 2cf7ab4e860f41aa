import type { Like } from '../../language.ts'
import { words as list } from '../leads/es.ts'
import type { words as english } from './en.ts'

/** Spanish words of the page of a lead. */
export const words: Like<typeof english> = {
  list,
  heading: 'Lead',
  above: 'Todos los leads',
  withheld: 'Nombre, correo, teléfono y respuestas están retenidos. Su origen y lo que pasó con él se quedan.',
  adset: 'Conjunto de anuncios',
  campaign: 'Campaña',
  platform: 'Plataforma',
  platforms: { fb: 'Facebook', ig: 'Instagram' },
  came: 'Guardado',
  sources: { webhook: '(al enviarse)', backfill: '(importado)' },
  leadgenId: 'Id de la red',
  conversation: 'Abrir la conversación',
  sameForm: 'Leads de este formulario',
  answers: 'Respuestas',
  noAnswers: 'El formulario no preguntó nada.',
  noAnswer: 'Sin respuesta',
  erase: {
    action: 'Borrar',
    ask: '¿Borrar este lead?',
    warning:
      'Nombre, correo, teléfono y respuestas se pierden aquí, en su evento y en los registros de webhooks. Nunca se importará de nuevo.',
    done: 'El lead está borrado.',
  },
  codes: { LEAD_NOT_FOUND: 'Este número no tiene ese lead. Puede ser de otro número, o estar borrado.' },
}
