import type { Like } from '../../language.ts'
import { words as numbers } from '../numbers/es.ts'
import type { words as english } from './en.ts'

/** Spanish words of one number. */
export const words: Like<typeof english> = {
  ...numbers,
  loading: 'Número',
  above: 'Todos los números',
  facts: {
    id: 'Id',
    number: 'Número de teléfono',
    kind: 'Tipo',
    state: 'Estado',
    calling: 'Llamadas',
    created: 'Añadido',
  },
  stateTexts: {
    OPEN: 'Los mensajes y las llamadas pasan.',
    LOADING: 'El teléfono está conectado, y sus datos aún están llegando.',
    CONNECTING: 'Se está haciendo la conexión.',
    CLOSE: {
      paired:
        'Ningún teléfono está conectado. Conecta uno con un código, o envía un enlace de conexión a quien tiene el teléfono.',
      account: 'La plataforma oficial no acepta peticiones de este número. Revisa sus credenciales más abajo.',
    },
  },
  callingTexts: {
    paired: 'Las llamadas pasan mientras el teléfono está conectado.',
    ENABLED: 'Las llamadas están activadas en la plataforma oficial.',
    NOT_ENABLED: 'Las llamadas no están activadas en la plataforma oficial.',
    PENDING_TIER:
      'La plataforma oficial permite llamadas desde un límite de 2.000 mensajes al día. Envía a más personas para subir el límite; el servicio activa las llamadas cuando suba.',
    PENDING_WEBHOOK:
      'La aplicación en la plataforma oficial no está suscrita al campo calls. El servicio la suscribe y lo intenta de nuevo; si esto sigue así, suscribe calls en los ajustes de la aplicación.',
  },
  enable: {
    label: 'Activar llamadas ahora',
    done: 'Las llamadas están activadas.',
    waits: 'La plataforma oficial aún no permite llamadas. El número dice lo que le falta.',
  },
  health: {
    heading: 'Situación',
    quality: 'Calidad',
    tier: 'Límite de mensajes',
    status: 'Estado en la plataforma',
    sendable: 'Puede enviar',
    yes: 'sí',
    no: 'no',
    unknown: 'no se sabe',
    level: 'Valoración de la red de dispositivos',
    levels: { ok: 'buena', warning: 'con aviso', restricted: 'restringida' },
  },
  connectHeading: 'Conectar el teléfono',
  actions: {
    connect: 'Conectar',
    hide: 'Ocultar el código',
    copyLink: 'Copiar un enlace de conexión',
    logout: 'Desconectar',
    delete: 'Quitar',
  },
  link: {
    heading: 'Enlace de conexión',
    text: 'Quien lo abra puede conectar su teléfono como este número. Sirve 24 horas y una sola vez; uno más nuevo lo termina.',
    copied: 'El enlace se ha copiado.',
  },
  logout: {
    heading: '¿Desconectar este número?',
    text: 'El teléfono se desvincula, y tiene que escanear un código para conectarse de nuevo. Los mensajes y los ajustes se quedan.',
    done: 'El número está desconectado.',
  },
  remove: {
    heading: '¿Quitar este número?',
    text: 'Sus llamadas terminan, su clave deja de servir al instante, sus webhooks se quitan, y sus mensajes ya no se pueden leer. No se puede deshacer.',
    done: (name) => `${name} se ha quitado.`,
  },
  settings: {
    heading: 'Ajustes',
    name: 'Nombre',
    default: 'Como hace el proveedor por defecto',
    on: 'Sí',
    off: 'No',
    historyImportEnabled: 'Importar el historial del teléfono cuando se conecte',
    historyHint: 'El teléfono envía su historial una sola vez, al vincularse: esto vale para la próxima vinculación.',
    webhookHistoricalMessages: 'Entregar el historial importado a los webhooks',
    ignoreNewsletters: 'Descartar publicaciones de canales',
    rejectCall: 'Rechazar llamadas entrantes',
    msgRejectCall: 'Mensaje a quien fue rechazado',
    msgRejectCallHint: 'Vacío: no se envía ninguno.',
    alwaysOnline: 'Siempre mostrado en línea',
    readMessages: 'Marcar los mensajes como leídos al llegar',
    ignoreGroups: 'Ignorar grupos',
    ignoreStatus: 'Ignorar estados',
    official: 'Los ajustes de teléfonos no se aplican a números oficiales.',
  },
  voice: {
    heading: 'Bot de voz',
    text: 'Las llamadas entrantes se conectan con un servidor suyo, que oye y habla en ellas.',
    connectTo: 'Dirección del servidor',
    connectToHint: 'Se le llama en cada llamada, por un WebSocket.',
    authorization: 'Valor de su cabecera Authorization',
    authorizationHint: 'Va con cada conexión, se guarda sellado y no se muestra.',
    headersStored: (names) => `Guardado: ${names}. Vacío: queda como está, para el mismo servidor.`,
    dialect: 'Habla como',
    dialects: {
      native: 'el protocolo propio del servicio',
      vonage: 'un servidor hecho para Vonage',
      twilio: 'un servidor hecho para Twilio',
    },
    answer: 'Una llamada',
    answers: {
      accept: 'se contesta en cuanto el servidor está conectado',
      ring: 'suena hasta que el servidor la contesta',
    },
    onUnreachable: 'Mientras no se alcanza el servidor, una llamada',
    unreachable: { ring: 'sigue sonando para los demás', reject: 'se rechaza' },
    onDisconnect: 'Cuando el servidor deja una llamada contestada, esta',
    disconnect: { keep: 'sigue', hangup: 'termina', grace: 'termina a los 30 segundos sin otro' },
    record: 'Grabar las llamadas',
    remove: 'Quitar el bot',
  },
  privacy: {
    heading: 'Privacidad',
    mode: 'Guardar datos personales',
    modes: {
      STORE_INDEFINITE: 'Mientras el número esté',
      STORE_X_DAYS: 'Durante algunos días',
      RELAY_ONLY: 'No guardar: solo reenviar',
    },
    texts: {
      STORE_INDEFINITE: 'Mensajes, archivos y nombres se quedan hasta que se quite el número.',
      STORE_X_DAYS:
        'Lo que sea más antiguo deja de mostrarse en el momento en que guardas, y se borra en una hora: contenidos, archivos, direcciones y nombres.',
      RELAY_ONLY:
        'Lo guardado ahora pierde contenidos, archivos, direcciones y nombres. Desde entonces, los eventos los llevan una vez, y nada de ello se guarda.',
    },
    days: 'Días',
  },
  credentials: {
    heading: 'Credenciales de la plataforma oficial',
    text: 'Se comprueban en la plataforma antes de guardarse, y nunca se muestran. Los campos vacíos se quedan como están.',
    phoneId: 'Id del número de teléfono',
    accountId: 'Id de la cuenta comercial',
    appId: 'Id de la aplicación',
    save: 'Comprobar y guardar',
    saved: 'Las credenciales se han guardado.',
  },
}
