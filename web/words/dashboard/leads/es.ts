import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Spanish words of the leads. */
export const words: Like<typeof english> = {
  heading: 'Leads',
  none: 'Ningún lead llegó a este número en este tiempo. Los leads vienen de formularios de Páginas enlazadas a él.',
  codes: { FEATURE_NOT_SUPPORTED: 'Este número no recibe leads. Elige otro número.' },
  person: 'Persona',
  noName: 'Sin nombre',
  email: 'Correo',
  phone: 'Teléfono',
  form: 'Formulario',
  ad: 'Anuncio',
  organic: 'Sin anuncio',
  submitted: 'Enviado',
  noAd: 'No se conoce',
  sent: 'Plantilla',
  id: 'Id',
  redacted: 'Retenido por la privacidad del número',
  sends: { none: 'Ninguna', pending: 'Se enviará', sent: 'Enviada', skipped: 'No enviada', failed: 'Falló' },
}
