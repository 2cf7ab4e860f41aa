import type { words as english } from './en.ts'
import type { Like } from '../../language.ts'

/** Spanish words of the list of templates. */
export const words: Like<typeof english> = {
  add: 'Nueva plantilla',
  sync: 'Preguntar ahora a la red por sus plantillas',
  synced: ({ imported, updated, removed }: { imported: number; updated: number; removed: number }) =>
    `Preguntado: ${imported} nuevas, ${updated} cambiadas, ${removed} quitadas.`,
  codes: { OFFICIAL_ERROR: 'La red lo rechazó:' },
  heading: 'Plantillas',
  none: 'Este número no tiene plantillas. Una plantilla es un mensaje que puede iniciar una conversación.',
  noneSuch: 'Ninguna plantilla es así.',
  anyCategory: 'Todas las categorías',
  anyStatus: 'Todos los estados',
  name: 'Nombre',
  category: 'Categoría',
  language: 'Idioma',
  changed: 'Cambiada',
  status: 'Estado',
  categories: { MARKETING: 'Marketing', UTILITY: 'Utilidad', OTP: 'Código de un solo uso' },
  standings: {
    APPROVED: 'Aprobada',
    USABLE: 'Lista para enviar',
    PENDING: 'En revisión',
    REJECTED: 'Rechazada',
    DISABLED: 'Pausada o desactivada',
  },
}
