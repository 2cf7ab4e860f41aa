import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Spanish words of the list of Flows. */
export const words: Like<typeof english> = {
  heading: 'Flows',
  add: 'Nuevo Flow',
  sync: 'Preguntar ahora a la red por sus Flows',
  synced: ({ imported, updated, removed }: { imported: number; updated: number; removed: number }) =>
    `Preguntado: ${imported} nuevos, ${updated} cambiados, ${removed} quitados.`,
  none: 'Este número no tiene Flows. Un Flow es un formulario dentro de la conversación.',
  noneSuch: 'Ningún Flow está en este estado.',
  anyStatus: 'Todos los estados',
  codes: {
    FLOW_REQUIRES_OFFICIAL_NUMBER: 'Solo los números oficiales tienen Flows. Elige otro número.',
    OFFICIAL_ERROR: 'La red lo rechazó:',
  },
  name: 'Nombre',
  categories: 'Categorías',
  changed: 'Cambiado',
  status: 'Estado',
  statuses: {
    DRAFT: 'Borrador',
    PUBLISHED: 'Publicado',
    DEPRECATED: 'Retirado',
    THROTTLED: 'Limitado',
    BLOCKED: 'Bloqueado',
  },
  category: {
    SIGN_UP: 'Registro',
    SIGN_IN: 'Inicio de sesión',
    APPOINTMENT_BOOKING: 'Citas',
    LEAD_GENERATION: 'Leads',
    SHOPPING: 'Compras',
    CONTACT_US: 'Contacto',
    CUSTOMER_SUPPORT: 'Atención al cliente',
    SURVEY: 'Encuesta',
    OTHER: 'Otra',
  },
}
