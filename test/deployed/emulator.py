"""Starts MiniStack, so that it judges what the functions call by the policies of their roles, and nobody else's calls.

It lacks one condition key, dynamodb:LeadingKeys, by which our policies name partitions; it is added here. As in AWS, it
holds the partition key of every item that a call names, and in a transaction that of the one item that is judged.

Its HTTP API leaves cookies in the headers of an event; they are moved to where API Gateway has them. And its Cognito
answers GET /logout of every host; here it leaves those of an API to the API. Its CloudFormation leaves a secret empty
whose text is to be random as by default.
"""

import json
import logging
import os
import re

from ministack.core import iam_actions, iam_evaluator, lambda_runtime
from ministack.services import lambda_svc
from ministack.services.cloudformation import provisioners

PARTITION_KEYS = {"pk", "by_email_pk", "by_member_pk"}
LEADING_KEYS = "dynamodb:LeadingKeys"
logger = logging.getLogger("policies")

service_context = iam_actions.dynamodb_service_context
transaction_checks = iam_actions.dynamodb_transaction_checks
resource_arn_of = iam_actions.extract_resource_arn
enforce = iam_evaluator.enforce
execution_credentials = lambda_runtime.execution_credentials
execute = lambda_svc._execute_function_with_config_scope
secret_string = provisioners._sm_secret_string

# The access keys that functions were given.
functions = set()


class ItemOf(str):
    """The ARN of a table, with the partition key of an item in it."""

    leading_key = None


def leading_key(attributes):
    return (attributes or {}).get("pk", {}).get("S")


def key_of_query(data):
    names = data.get("ExpressionAttributeNames", {})
    values = data.get("ExpressionAttributeValues", {})
    for name, value in re.findall(r"([#\w]+)\s*=\s*(:\w+)", data.get("KeyConditionExpression", "")):
        if names.get(name, name) in PARTITION_KEYS:
            return values.get(value, {}).get("S")
    return None


def keys_of(data):
    if "KeyConditionExpression" in data:
        return [key_of_query(data)]
    found = [leading_key(data.get(member)) for member in ("Key", "Item") if member in data]
    for requests in data.get("RequestItems", {}).values():
        if isinstance(requests, dict):
            found += [leading_key(key) for key in requests["Keys"]]
        else:
            for request in requests:
                found.append(leading_key(request.get("PutRequest", {}).get("Item")
                                         or request.get("DeleteRequest", {}).get("Key")))
    return found


def parsed(body):
    try:
        data = json.loads(body or b"{}")
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def context_with_keys(body):
    keys = [key for key in keys_of(parsed(body)) if key is not None]
    return {**service_context(body), **({LEADING_KEYS: keys} if keys else {})}


def checks_with_keys(iam_action, body, region, account_id):
    items = [part for item in parsed(body).get("TransactItems", []) for part in item.values()]
    checks = []
    for (action, arn), part in zip(transaction_checks(iam_action, body, region, account_id), items, strict=True):
        judged = ItemOf(arn)
        judged.leading_key = leading_key(part.get("Key") or part.get("Item"))
        checks.append((action, judged))
    return checks


def resource_as_in_aws(service, method, path, headers, body, *rest):
    arn = resource_arn_of(service, method, path, headers, body, *rest)
    data = parsed(body)
    # Its CloudFormation refers to a secret by name where AWS gives the ARN; so do the policies then.
    # What the operator has made for a project is in no template, and the policy names it by its ARN.
    if service == "secretsmanager":
        name = re.sub(r"^arn:.*:secret:(.+)-\w{6}$", r"\1", arn)
        is_made = "/sign-in-providers/" in name
        return f"arn:aws:secretsmanager:{rest[-2]}:{rest[-1]}:secret:{name}-AbCdEf" if is_made else name
    # It knows no group but the default one, and for a mail no resource, which is the identity of the sender.
    if service == "scheduler" and "GroupName" in data:
        return arn.replace(":schedule/default/", f":schedule/{data['GroupName']}/")
    if service == "ses" and "FromEmailAddress" in data:
        domain = data["FromEmailAddress"].rpartition("@")[2].rstrip(">")
        return f"arn:aws:ses:{rest[-2]}:{rest[-1]}:identity/{domain}"
    return arn


def noted_credentials(config):
    credentials = execution_credentials(config)
    functions.add(credentials["AWS_ACCESS_KEY_ID"])
    with open(os.environ["FUNCTION_CREDENTIALS"], "a", encoding="utf-8") as file:
        file.write(json.dumps({"function": config["FunctionName"], **credentials}) + "\n")
    return credentials


def enforce_with_keys(access_key, action, *args, resource_arn="*", service_context=None):
    if access_key not in functions:
        return None
    # As in AWS, whoever may send a message may send several.
    args = ("sqs:SendMessage" if action == "sqs:SendMessageBatch" else action, *args)
    if isinstance(resource_arn, ItemOf):
        service_context = {**(service_context or {}), LEADING_KEYS: [resource_arn.leading_key]}
    denied = enforce(access_key, *args, resource_arn=resource_arn, service_context=service_context)
    if denied:
        logger.error("DENIED %s", json.dumps([denied.principal_arn, args, resource_arn, service_context]))
    return denied


def execute_with_cookies(function, event):
    if "rawPath" in event and "cookie" in event["headers"]:
        headers = dict(event["headers"])
        event = {**event, "cookies": headers.pop("cookie").split("; "), "headers": headers}
    return execute(function, event)


def secret_string_by_default(properties):
    if properties.get("GenerateSecretString") == {}:
        properties = {**properties, "GenerateSecretString": {"PasswordLength": 32}}
    return secret_string(properties)


iam_actions.dynamodb_service_context = context_with_keys
iam_actions.dynamodb_transaction_checks = checks_with_keys
iam_actions.extract_resource_arn = resource_as_in_aws
iam_evaluator.enforce = enforce_with_keys
lambda_runtime.execution_credentials = noted_credentials
lambda_svc._execute_function_with_config_scope = execute_with_cookies
provisioners._sm_secret_string = secret_string_by_default

if __name__ == "__main__":
    from ministack import app

    cognito = app._handle_cognito_get_request

    async def cognito_of_no_api(method, path, headers, query):
        return None if ".execute-api." in headers.get("host", "") else await cognito(method, path, headers, query)

    app._handle_cognito_get_request = cognito_of_no_api
    app.main()
