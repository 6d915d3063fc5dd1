import type {
  ICredentialDataDecryptedObject,
  ICredentials,
  ICredentialsExpressionResolveValues,
  ICredentialsHelper,
  ICredentialType,
  IExecuteData,
  IHttpRequestHelper,
  IHttpRequestOptions,
  INode,
  INodeCredentialsDetails,
  INodeParameters,
  INodeProperties,
  IWorkflowExecuteAdditionalData,
  WorkflowExecuteMode,
} from 'n8n-workflow';

export type StoredCredentials = Record<string, ICredentialDataDecryptedObject>;

/**
 * n8n's own helper lives in its server. This one keeps credentials in memory and follows the same
 * rules: it fetches a token when its property is empty or the last one was refused, without a lock,
 * stores the new one, and leaves the expressions of a credential as they are.
 */
export class MemoryCredentialsHelper implements ICredentialsHelper {
  readonly #types: ReadonlyMap<string, ICredentialType>;
  readonly #stored: StoredCredentials;

  constructor(types: ReadonlyMap<string, ICredentialType>, stored: StoredCredentials) {
    this.#types = types;
    this.#stored = stored;
  }

  getParentTypes(): string[] {
    return [];
  }

  isCredentialUsableByNode(): boolean {
    return true;
  }

  async authenticate(
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
    requestOptions: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> {
    const { authenticate } = this.#type(typeName);
    if (typeof authenticate !== 'function') return requestOptions;
    return authenticate(credentials, requestOptions);
  }

  async preAuthentication(
    helpers: IHttpRequestHelper,
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
    node: INode,
    credentialsExpired: boolean,
  ): Promise<ICredentialDataDecryptedObject | undefined> {
    const { preAuthentication, properties } = this.#type(typeName);
    const expirable = properties.find(({ typeOptions }) => typeOptions?.expirable === true);
    if (!preAuthentication || !expirable) return undefined;
    if (credentials[expirable.name] !== '' && !credentialsExpired) return undefined;
    const output = await this.runPreAuthentication(helpers, credentials, typeName);
    if (!output || output[expirable.name] === undefined) return undefined;
    const details = node.credentials?.[typeName];
    const token = { [expirable.name]: output[expirable.name] as string };
    if (details)
      await this.updateCredentials(details, typeName, { ...this.#stored[typeName], ...token });
    return { ...credentials, ...output };
  }

  async runPreAuthentication(
    helpers: IHttpRequestHelper,
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
  ): Promise<ICredentialDataDecryptedObject | undefined> {
    const output = await this.#type(typeName).preAuthentication?.call(helpers, credentials);
    return output as ICredentialDataDecryptedObject | undefined;
  }

  async getCredentials(): Promise<ICredentials> {
    throw new Error('Credentials are not encrypted here.');
  }

  async getDecrypted(
    _additionalData: IWorkflowExecuteAdditionalData,
    _details: INodeCredentialsDetails,
    typeName: string,
    mode: WorkflowExecuteMode,
    _executeData?: IExecuteData,
    _raw?: boolean,
    at?: ICredentialsExpressionResolveValues,
  ): Promise<ICredentialDataDecryptedObject> {
    const stored = this.#stored[typeName];
    if (!stored) throw new Error(`No credential of the type ${typeName} is stored.`);
    const properties = this.getCredentialsProperties(typeName);
    const defaults = Object.fromEntries(
      properties.map((property) => [property.name, property.default]),
    );
    const all = { ...(defaults as ICredentialDataDecryptedObject), ...stored };
    if (!at || !Object.values(all).some((value) => String(value).startsWith('='))) return all;
    const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = at;
    return workflow.expression.getParameterValue(
      all as INodeParameters,
      runExecutionData,
      runIndex,
      itemIndex,
      node.name,
      connectionInputData,
      mode,
      {},
    ) as ICredentialDataDecryptedObject;
  }

  async updateCredentials(
    _details: INodeCredentialsDetails,
    typeName: string,
    data: ICredentialDataDecryptedObject,
  ): Promise<void> {
    this.#stored[typeName] = data;
  }

  async updateCredentialsOauthTokenData(): Promise<void> {}

  getCredentialsProperties(typeName: string): INodeProperties[] {
    return this.#type(typeName).properties;
  }

  #type(typeName: string): ICredentialType {
    const type = this.#types.get(typeName);
    if (!type) throw new Error(`The package has no credential type ${typeName}.`);
    return type;
  }
}
