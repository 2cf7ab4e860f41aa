import type { Like } from '../../language.ts'
import { words as form } from '../template-form/es.ts'
import { words as list } from '../templates/es.ts'
import type { words as english } from './en.ts'

/** Spanish words of the page of a template. */
export const words: Like<typeof english> = {
  list,
  form,
  heading: 'Plantilla',
  above: 'Todas las plantillas',
  status: 'Estado',
  meanings: {
    APPROVED: 'Se puede enviar.',
    USABLE: 'Se puede enviar: nadie revisa las plantillas de este número.',
    PENDING: 'Está en revisión, de minutos a un día. Se podrá enviar cuando se apruebe.',
    REJECTED: 'No se puede enviar. Cambia lo que dice el motivo y preséntala otra vez, o elimínala.',
    DISABLED:
      'No se puede enviar ahora. Una pausada vuelve sola; una desactivada se bloqueó o denunció demasiadas veces.',
  },
  unsendable: 'Este servicio no puede enviar partes de ella:',
  reason: 'Motivo',
  quality: 'Calidad',
  qualities: { GREEN: 'Buena', YELLOW: 'Media', RED: 'Mala', UNKNOWN: 'Aún no se conoce' },
  category: 'Categoría',
  correct: (category: string) => `Pasará a ser ${category}.`,
  language: 'Idioma',
  id: 'Id',
  changed: 'Cambiada',
  check: 'Preguntar su estado ahora',
  preview: {
    heading: 'Como la muestra un teléfono',
    text: 'Con los valores de al lado; al principio, los ejemplos.',
    label: 'El mensaje',
    show: 'Mostrar con estos valores',
    header: { IMAGE: 'Imagen', VIDEO: 'Vídeo', DOCUMENT: 'Documento' },
    noText: 'Sin texto',
    card: (place: number, of: number) => `Tarjeta ${place} de ${of}`,
    button: 'Botón',
  },
  remove: {
    action: 'Eliminar',
    ask: (name: string) => `¿Eliminar ${name}?`,
    warning:
      'Los mensajes que esperan no se detienen. Donde hay revisión, el nombre no se puede usar otra vez en 30 días.',
  },
  codes: {
    OFFICIAL_ERROR: 'La red lo rechazó:',
    OFFICIAL_THROTTLED: 'La red no acepta más peticiones ahora. Inténtalo en un minuto.',
    TEMPLATE_NAME_AMBIGUOUS: 'Varios idiomas tienen este nombre. Abre uno desde la lista.',
    TEMPLATE_NOT_FOUND: 'Este número no tiene esa plantilla. Puede ser de otro número, o se eliminó.',
  },
}
