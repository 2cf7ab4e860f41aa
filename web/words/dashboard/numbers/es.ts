import { pairing } from '../../connect/es.ts'
import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Spanish words of the list of numbers. */
export const words: Like<typeof english> = {
  heading: 'Números',
  add: 'Añadir un número',
  none: 'Aún no hay números. Añade el primero y vincúlalo con su teléfono, o conéctalo con sus credenciales oficiales.',
  columns: { name: 'Número', kind: 'Tipo', state: 'Estado', calling: 'Llamadas' },
  kinds: { paired: 'Vinculado por QR', account: 'Oficial' },
  states: { OPEN: 'Conectado', CONNECTING: 'Conectando', CLOSE: 'Sin conexión', LOADING: 'Conectado, aún cargando' },
  calling: {
    ENABLED: 'Activadas',
    NOT_ENABLED: 'No activadas',
    PENDING_TIER: 'Esperan un límite mayor',
    PENDING_WEBHOOK: 'Esperan el campo de llamadas',
    paired: 'Activadas',
  },
  form: {
    heading: 'Añadir un número',
    kind: 'Tipo de número',
    kindHints: {
      paired: 'Lo vinculas escaneando un código con su teléfono.',
      account: 'Pertenece a una cuenta comercial de la plataforma oficial.',
    },
    name: 'Nombre',
    nameHint: 'Se muestra en las listas y a quien vincula el teléfono.',
    number: 'Número de teléfono',
    numberHint: 'Con código de país, de 10 a 15 dígitos: 5511999990001.',
    history: 'Importar el historial del teléfono cuando se conecte',
    historyHint: 'Solo se puede elegir ahora: el teléfono envía su historial una sola vez.',
    officialPhoneId: 'Id del número de teléfono',
    officialAccountId: 'Id de la cuenta comercial',
    officialAccessToken: 'Token de acceso',
    officialAppId: 'Id de la aplicación',
    officialAppSecret: 'Secreto de la aplicación',
    officialAppSecretHint: 'Verifica lo que entrega la plataforma. Sin él no se acepta nada.',
    optional: 'opcional',
    create: 'Añadirlo',
  },
  created: {
    heading: (name) => `${name} se ha añadido`,
    key: 'Clave de este número',
    verifyToken: 'Token de verificación del webhook de la plataforma',
    webhookUrl: 'Dirección del webhook de la plataforma',
    open: 'Abrir el número',
  },
  pairing,
  connect: {
    phoneAccepted: 'El teléfono aceptó el código. Terminando…',
    done: 'Conectado.',
    paused: 'No se muestra un código nuevo, para que ninguno espere sin que nadie lo vea.',
    newCode: 'Mostrar un código nuevo',
  },
  codes: {
    NUMBER_ALREADY_EXISTS: 'La cuenta ya tiene este número.',
    NUMBER_LIMIT_EXCEEDED: 'La cuenta no puede tener más números. Quita uno antes.',
    OFFICIAL_CREDENTIALS_REJECTED: 'La plataforma oficial no acepta estas credenciales:',
    DEVICE_NETWORK_TIMEOUT: 'Ningún código llegó a tiempo. Vuelve a intentarlo.',
    DEVICE_NETWORK_ERROR: 'La red de dispositivos lo rechazó. Vuelve a intentarlo en un momento.',
  },
}
