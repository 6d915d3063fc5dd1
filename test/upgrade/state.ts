import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { StoredToken } from '@screen-advertising/core';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

/** What a version left on each platform. */
export interface RecordedState {
  /** The commit whose packages left it. */
  readonly commit: string;
  readonly n8n: {
    readonly polling: IDataObject;
    readonly webhook: string;
    /** The credential with its token. */
    readonly credential: ICredentialDataDecryptedObject;
  };
  readonly zapier: {
    readonly cache: Readonly<Record<string, string>>;
    /** IDs of the records that started runs, by trigger. */
    readonly ran: Readonly<Record<string, readonly string[]>>;
    /** The fields of the connection, with the token of its session. */
    readonly connection: Readonly<Record<string, string>>;
  };
  readonly tokens: readonly (readonly [key: string, token: StoredToken])[];
  readonly relay: {
    readonly migrations: readonly string[];
    /** The rows of each table, as PostgreSQL writes them in JSON: its numbers can be too long for ours. */
    readonly tables: Readonly<Record<string, readonly string[]>>;
    readonly sequences: Readonly<Record<string, string>>;
    /** Of the connectors, one for each subscription. */
    readonly connectorKeys: readonly string[];
    /** What a polling trigger of n8n stored, and a Zap about its subscription. */
    readonly staticData: IDataObject;
    readonly subscribeData: unknown;
  };
  /** The sandbox's state file. */
  readonly sandbox: unknown;
}

const file = path.join(import.meta.dirname, 'recorded.json');

/** Whether this run records the state of this version before it reads it. */
export const isRecording = process.env.RECORD_STATE === '1';

export function readRecorded(): RecordedState {
  return JSON.parse(readFileSync(file, 'utf8')) as RecordedState;
}

export function writeRecorded(state: Omit<RecordedState, 'commit'>): void {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  writeFileSync(file, `${JSON.stringify({ commit, ...state }, null, 2)}\n`);
}
