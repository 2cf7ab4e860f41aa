import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Spanish words of the list of calls. */
export const words: Like<typeof english> = {
  heading: 'Llamadas',
  peer: 'Con',
  status: 'Estado',
  direction: 'Dirección',
  began: 'Inicio',
  length: 'Duración',
  all: 'Todas',
  none: 'Todavía no hay llamadas. Llama a alguien desde aquí, o por la API.',
  noneSo: 'Ninguna llamada es así.',
  showAll: 'Mostrar todas las llamadas',
  seconds: (count) =>
    count < 60 ? `${count} s` : `${Math.floor(count / 60)} min ${String(count % 60).padStart(2, '0')} s`,
  directions: { INBOUND: 'Entrante', OUTBOUND: 'Saliente' },
  statuses: {
    INITIATED: 'Llamando',
    RINGING: 'Sonando',
    ACCEPTED: 'En llamada',
    COMPLETED: 'Terminada',
    REJECTED: 'Rechazada',
    MISSED: 'Perdida',
    FAILED: 'Falló',
  },
}
